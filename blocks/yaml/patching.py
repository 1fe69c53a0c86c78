"""The changes of a YAML text by which it says other data: only the lines that say what differs.

Comments, order, quotes, number formats and empty lines stay. What an alias stands for stays shared as long as it stays
the same in all places; what differs is written out where the alias was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import yaml

from blocks.replacement import Replacement, Span
from blocks.yaml.layout_of_text import Text
from blocks.yaml.nodes import Alias
from blocks.yaml.places import ItemPath
from blocks.yaml.plain import same
from blocks.yaml.reading import Document, plain_data
from blocks.yaml.rendering import entry, flow, key, scalar
from blocks.yaml.scalars import MERGE
from blocks.yaml.text_changes import Changes

_NO_RENAMES: Mapping[ItemPath, str] = {}
_ABSENT: Any = object()


def patches(
    document: Document,
    new: dict[str, Any],
    renamed: Mapping[ItemPath, str] = _NO_RENAMES,
    gone: Collection[ItemPath] = (),
) -> list[Replacement]:
    """What to change in the text of a document so that it says `new`.

    renamed: the keys that are to be called otherwise, by their place in the document as it is. Other keys that are not
    in `new` are taken out with the lines that belong to them, and new ones are put behind those that stand before them.
    gone: entries that are taken out although `new` has their key, which is then another entry's.
    """
    patch = _Patch(document, renamed, gone)
    assert document.root is not None
    patch.change(document.root, document.data, new, ())
    return patch.changes.all()


class _Anew(Exception):
    """Changes by place do not do for a collection; it has to be written anew."""


class _Patch:
    def __init__(self, document: Document, renamed: Mapping[ItemPath, str], gone: Collection[ItemPath]) -> None:
        self.file = document.file
        self.text = Text(document.text)
        self.renamed, self.gone = renamed, gone
        self.changes = Changes(self.text)
        self.shared = "*" in document.text and "&" in document.text
        """Whether there may be aliases; without them what does not differ need not be looked at."""

        self.flows = 0
        """How many flow collections the place is in."""

        self.meaning: dict[int, Any] = {}
        """What nodes with anchors say afterwards, as far as they stay."""

    # --- one node --------------------------------------------------------------------------------------------------

    def change(self, node: yaml.Node, old: Any, new: Any, item: ItemPath) -> None:
        """Let a node say `new`."""
        if not self.shared and same(old, new):
            return
        if isinstance(node, Alias):
            if not same(self.meaning.get(id(node.value), _ABSENT), new):
                self.changes.replace(self.text.span(node), flow(new))
            return
        if self.shared and self.text.anchor(node) is not None:
            self.meaning[id(node)] = new
        before, flows = len(self.changes.found), self.flows
        self.flows += bool(getattr(node, "flow_style", False))
        try:
            if isinstance(node, yaml.MappingNode) and isinstance(new, dict) and new:
                self.mapping(node, old, new, item)
            elif isinstance(node, yaml.SequenceNode) and isinstance(new, list) and new:
                self.sequence(node, old, new, item)
            elif not same(old, new):
                raise _Anew
        except _Anew:
            del self.changes.found[before:]
            self.forget(node)
            self.anew(node, new, item)
        finally:
            self.flows = flows

    def anew(self, node: yaml.Node, new: Any, item: ItemPath) -> None:
        """Write the value of a node anew; its anchor stays."""
        start, end = self.text.content(node)
        if isinstance(node, yaml.CollectionNode) and not node.flow_style:
            end = self.text.behind_comment(end)
        properties = self.text.text[self.text.span(node).start : start]
        if "!" in properties:  # a tag would say what it is
            name = self.text.anchor(node)
            self.changes.replace(Span(self.text.span(node).start, end), f"&{name} {flow(new)}" if name else flow(new))
        elif isinstance(node, yaml.ScalarNode):
            self.scalar(node, Span(start, end), new)
        elif not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
            self.changes.replace(Span(start, end), flow(new, json_like=_json_like(self.text, node)))
        elif isinstance(new, dict) and new and isinstance(node, yaml.MappingNode):
            column = self.text.column(start)
            self.changes.replace(
                Span(start, end),
                self.changes.joined([line for one in new.items() for line in entry(*one, 2, literal=False)], column),
            )
        elif isinstance(new, list) and new and isinstance(node, yaml.SequenceNode):
            self.changes.replace(
                Span(start, end), self.changes.joined([f"- {flow(one)}" for one in new], self.text.column(start))
            )
        else:
            self.changes.replace(Span(start, end), flow(new))

    def scalar(self, node: yaml.ScalarNode, span: Span, new: Any) -> None:
        """Write a value in place of a scalar."""
        if isinstance(new, (dict, list)):
            said = flow(new)
        else:
            quote = node.style if node.style in ("'", '"') and isinstance(new, str) else ""
            said = scalar(new, quote or "", flow=self.flows > 0)
        if span.start == span.end:  # nothing stands there
            raise _Anew
        self.changes.replace(span, said)

    def forget(self, node: yaml.Node) -> None:
        """Note that anchors in a node are no longer there; its own stays."""
        own = id(node)
        for inner in _within(node):
            if id(inner) != own:
                self.meaning.pop(id(inner), None)

    # --- mappings --------------------------------------------------------------------------------------------------

    def mapping(self, node: yaml.MappingNode, old: dict[str, Any], new: dict[str, Any], item: ItemPath) -> None:
        own = {name.value: (name, value) for name, value in node.value if name.tag != MERGE}
        if any(isinstance(name, Alias) for name, _ in own.values()):
            raise _Anew
        merged = self.merged([value for name, value in node.value if name.tag == MERGE])
        names = {name: self.renamed.get((*item, name), name) for name in own}
        kept = {name: called for name, called in names.items() if called in new and (*item, name) not in self.gone}
        for name in list(kept):  # a name that another entry is given
            if kept[name] == name and any(called == name != other for other, called in kept.items()):
                del kept[name]
        gone = [name for name in own if name not in kept]
        if not own and same(merged, new):
            return
        if not kept or any(name not in new for name in merged):
            raise _Anew
        stays = {called: name for name, called in kept.items()}
        order = [stays[called] for called in new if called in stays]
        if order != [name for name in own if name in kept]:
            raise _Anew
        for name, called in kept.items():
            self.entry(own[name], name, called, old[name], new[called], item)
        added = {
            called: value
            for called, value in new.items()
            if called not in stays and not (called in merged and same(merged[called], value))
        }
        if node.flow_style:
            pairs = list(own.values())
            after = self.after(added, new, stays)
            texts = {
                name: [f"{key(one, js)}: {flow(added[one], json_like=js)}" for one in group]
                for js in [_json_like(self.text, node)]
                for name, group in after.items()
            }
            spans = [Span(self.text.span(k).start, self.text.value_end(k, v)) for k, v in pairs]
            places = list(own)
            self.changes.in_flow(
                node,
                spans,
                {places.index(name) for name in gone},
                {places.index(name) if name is not None else -1: group for name, group in texts.items()},
            )
        else:
            self.out_of_block(own, gone)
            self.into_block(own, self.after(added, new, stays), added)

    def merged(self, sources: list[yaml.Node]) -> dict[str, Any]:
        """What merges give afterwards. Raises _Anew if what they name is gone."""
        found: dict[str, Any] = {}
        for source in sources:
            listed = source.value if isinstance(source, yaml.SequenceNode) else [source]
            for one in listed:
                if isinstance(one, Alias):
                    given = self.meaning.get(id(one.value), _ABSENT)
                else:
                    given = self.meaning[id(one)] = plain_data(one, self.file)
                if not isinstance(given, dict):
                    raise _Anew
                found = given | found
        return found

    def entry(self, pair: Any, name: str, called: str, old: Any, new: Any, item: ItemPath) -> None:
        """Change an entry that stays: its name, and what it says."""
        named, value = pair
        if called != name:
            quote = named.style if named.style in ("'", '"') else ""
            self.changes.replace(self.text.content(named), scalar(called, quote, flow=self.flows > 0))
        if not self.shared and same(old, new):
            return
        start, end = self.text.span(value)
        if start == end and not same(old, new):  # an empty value stands behind the colon
            at = self.text.colon(named)
            self.changes.replace(Span(at, at), f" {flow(new)}")
            return
        content = self.text.content(value)
        folded = isinstance(value, yaml.ScalarNode) and value.style in ("|", ">")
        away = isinstance(value, yaml.CollectionNode) and not value.flow_style and not _alike(value, new)
        if (folded or away) and not same(old, new):
            if content.start == start:
                self.instead(named, content, new, folded)
            else:  # an anchor or a tag would be left alone on the line of the key
                self.changes.replace(Span(start, end), flow(new))
            self.forget_all(value)
            return
        self.change(value, old, new, (*item, name))

    def instead(self, named: yaml.Node, content: Span, new: Any, folded: bool) -> None:
        """Write a value of one line, or a text of several, in place of one that takes several lines."""
        column = self.text.column(self.text.span(named).start)
        if folded and isinstance(new, str) and "\n" in new:
            lines = entry("k", new, 2)
            if lines[0].startswith("k: |"):
                self.changes.replace(content, self.changes.joined([lines[0][3:], *lines[1:]], column))
                return
        if folded:
            self.changes.replace(content, scalar(new, flow=False) if not isinstance(new, (dict, list)) else flow(new))
            return
        at = self.text.colon(named)
        self.changes.replace(Span(at, at), f" {flow(new)}")
        start, end = self.text.line_start(content.start), self.text.line_end(content.end)
        if start <= at:
            raise _Anew
        self.changes.cut(start, end)

    # --- entries in lines ------------------------------------------------------------------------------------------

    def out_of_block(self, own: Mapping[str, Any], gone: list[str]) -> None:
        """Take entries out of a block mapping."""
        for name in gone:
            named, value = own[name]
            if not self.text.begins_line(self.text.span(named).start):  # it shares its line with a dash
                raise _Anew
            self.changes.cut(*self.text.region(named, value))
            self.forget_all(value)

    def into_block(self, own: Mapping[str, Any], after: dict[str | None, list[str]], added: dict[str, Any]) -> None:
        """Put new entries into a block mapping, each behind the one that it stands after."""
        names = list(own)
        for place, group in after.items():
            beside = own[place if place is not None else names[0]]
            at = self.text.span(beside[0]).start
            column = self.text.column(at)
            in_flow = any(
                isinstance(value, yaml.MappingNode) and value.flow_style and value.value for _, value in [beside]
            )
            lines = [
                line for name in group for line in entry(name, added[name], self.step(own), in_flow, self.text.ended)
            ]
            indented = [" " * column + line if line else line for line in lines]
            lead = self.text.text[self.text.line_start(at) : at]
            if "?" in lead or (place is None and lead.strip()):
                raise _Anew
            region = self.text.region(*beside)
            self.changes.put_lines(region.start if place is None else region.end, indented)

    def step(self, own: Mapping[str, Any]) -> int:
        """By how much the entries of a mapping are indented within it, as those of its neighbours are."""
        for named, value in own.values():
            inner: Any = value
            column = self.text.column(self.text.span(named).start)
            if isinstance(inner, yaml.MappingNode) and not inner.flow_style and inner.value:
                return max(self.text.column(self.text.span(inner.value[0][0]).start) - column, 1)
        return 2

    # --- items in flow collections ---------------------------------------------------------------------------------

    # --- sequences -------------------------------------------------------------------------------------------------

    def sequence(self, node: yaml.SequenceNode, old: list[Any], new: list[Any], item: ItemPath) -> None:
        head = 0
        while head < min(len(old), len(new)) and same(old[head], new[head]):
            head += 1
        tail = 0
        while tail < min(len(old), len(new)) - head and same(old[-1 - tail], new[-1 - tail]):
            tail += 1
        if len(old) == len(new):
            head, tail = len(old), 0
        both = min(len(old), len(new)) - tail if len(old) != len(new) else len(old)
        pairs = [(number, number) for number in range(max(head, both))]
        pairs += [(len(old) - back, len(new) - back) for back in range(tail, 0, -1)]
        for number, other in pairs:
            self.change(node.value[number], old[number], new[other], (*item, number))
        gone = list(range(max(head, both), len(old) - tail))
        added = new[max(head, both) : len(new) - tail]
        if len(gone) == len(old):
            raise _Anew
        if not gone and not added:
            return
        before = max(head, both) - 1
        for number in gone:
            self.forget_all(node.value[number])
        if node.flow_style:
            spans = [self.text.span(one) for one in node.value]
            texts = [flow(value, json_like=_json_like(self.text, node)) for value in added]
            self.changes.in_flow(node, spans, set(gone), {before: texts} if texts else {})
            return
        column = self.text.column(self.text.content(node).start)
        starts = [self.dash(one, column) for one in node.value]
        for number in gone:
            end = self.text.line_end(self.text.span(node.value[number]).end)
            self.changes.cut(
                self.text.comments_above(self.text.line_start(starts[number]), column),
                self.text.comments_below(end, column),
            )
        if added:
            indent = " " * column
            lines = [indent + line for line in (f"- {flow(value)}" for value in added)]
            if before < 0:
                self.changes.put_lines(self.text.line_start(starts[0]), lines)
            else:
                end = self.text.line_end(self.text.span(node.value[before]).end)
                self.changes.put_lines(self.text.comments_below(end, column), lines)

    def dash(self, node: yaml.Node, column: int) -> int:
        """Where the dash of an item of a block sequence stands. Raises _Anew if it does not begin the item's line."""
        start = self.text.line_start(self.text.span(node).start)
        line = self.text.text[start : self.text.line_end(start)]
        at = start + len(line) - len(line.lstrip(" "))
        if self.text.text[at : at + 1] != "-" or at - start != column or self.text.span(node).start == at:
            raise _Anew
        return at

    # --- text ------------------------------------------------------------------------------------------------------

    def after(
        self, added: Mapping[str, Any], new: Mapping[str, Any], stays: Mapping[str, str]
    ) -> dict[str | None, list[str]]:
        """The new names by the entry that they stand behind, as it is called in the text; None: first."""
        found: dict[str | None, list[str]] = {}
        place: str | None = None
        for called in new:
            if called in stays:
                place = stays[called]
            elif called in added:
                found.setdefault(place, []).append(called)
        return found

    def forget_all(self, node: yaml.Node) -> None:
        for inner in _within(node):
            self.meaning.pop(id(inner), None)


def _within(node: yaml.Node) -> list[yaml.Node]:
    """A node and all in it, but not what aliases stand for."""
    found = [node]
    for one in found:
        if isinstance(one, yaml.MappingNode):
            found += [part for pair in one.value for part in pair]
        elif isinstance(one, yaml.SequenceNode):
            found += one.value
    return found


def _json_like(text: Text, node: yaml.Node) -> bool:
    """Whether the keys, or items, of a flow collection are in double quotes."""
    if isinstance(node, yaml.MappingNode):
        return bool(node.value) and all(getattr(name, "style", None) == '"' for name, _ in node.value)
    texts = [one for one in node.value if isinstance(one, yaml.ScalarNode)] if isinstance(node.value, list) else []
    return bool(texts) and all(one.style == '"' for one in texts)


def _alike(node: yaml.CollectionNode, value: Any) -> bool:
    """Whether a value is of the kind of a collection, and not empty."""
    return bool(value) and isinstance(value, dict if isinstance(node, yaml.MappingNode) else list)
