"""C that Cython wrote, read as a person would have written it."""

from __future__ import annotations

import textwrap

import pytest

from cython_kernels.plain_c.c_statements import UnknownStatementError
from cython_kernels.plain_c.tidy_c import tidy


def tidied(text: str, is_void: bool = True) -> str:
    return "\n".join(tidy(textwrap.dedent(text).splitlines(), is_void))


def expected(text: str) -> str:
    return textwrap.indent(textwrap.dedent(text).strip("\n"), "    ")


def test_return_of_a_value():
    text = """
        double result;
        {

            result = (1e-9 * s->step);
        }
        goto L0;
        L0:;
        return result;
    """
    assert tidied(text, is_void=False) == expected("return 1e-9 * s->step;")


def test_result_set_before_the_exit():
    text = """
        int result;
        int t1;
        t1 = (x > 0);
        if (t1) {
            result = f(x);
            goto L0;
        }
        result = 0;
        L0:;
        return result;
    """
    assert tidied(text, is_void=False) == expected("""
        if (x > 0) {
            return f(x);
        }
        return 0;
    """)


def test_branches_joined_by_jumps():
    text = """
        int t1;
        t1 = (x < 0);
        if (t1) {
            y = -1;
            goto L3;
        }
        t1 = (x > 0);
        if (t1) {
            y = 1;
            goto L3;
        }
         {
            y = 0;
        }
        L3:;
    """
    assert tidied(text) == expected("""
        if (x < 0) {
            y = -1;
        } else if (x > 0) {
            y = 1;
        } else {
            y = 0;
        }
    """)


def test_counted_loop_with_jumps():
    text = """
        int i;
        int t1;
        int t2;
        int t3;
        int t4;
        t1 = n;
        t2 = t1;
        for (t3 = 0; t3 < t2; t3+=1) {
            i = t3;
            t4 = (a[i] == 0);
            if (t4) {
                goto L3_continue;
            }
            t4 = (a[i] < 0);
            if (t4) {
                goto L4_break;
            }
            f(a[i]);
            L3_continue:;
        }
        L4_break:;
    """
    assert tidied(text) == expected("""
        int i, t2;
        t2 = n;
        for (i = 0; i < t2; i += 1) {
            if (a[i] == 0) {
                continue;
            }
            if (a[i] < 0) {
                break;
            }
            f(a[i]);
        }
    """)


def test_jump_out_of_two_loops_is_not_a_break():
    text = """
        while (1) {
            while (1) {
                goto L2_break;
            }
        }
        L2_break:;
    """
    assert "goto L2_break;" in tidied(text)


@pytest.mark.parametrize(("tested", "operator"), [("t2", "&&"), ("!t2", "||")], ids=["and", "or"])
def test_logical_operators(tested, operator):
    text = f"""
        int t1;
        int t2;
        t2 = (x > 0);
        if ({tested}) {{
        }} else {{
            t1 = t2;
            goto L2_bool_binop_done;
        }}
        t2 = (y > 0);
        t1 = t2;
        L2_bool_binop_done:;
        if (t1) {{
            f();
        }}
    """
    assert tidied(text) == expected(f"""
        if ((x > 0) {operator} (y > 0)) {{
            f();
        }}
    """)


def test_number_from_a_logical_operator_is_kept():
    # y = x and f(x): the value is that of f, which && would make 1
    text = """
        int t1;
        int t2;
        t2 = (x > 0);
        if (!t2) {
            t1 = t2;
            goto L2_bool_binop_done;
        }
        t2 = f(x);
        t1 = t2;
        L2_bool_binop_done:;
        y[0] = t1;
    """
    assert "&&" not in tidied(text)


def test_loop_variable_that_is_read_after_the_loop_is_kept():
    text = """
        int i;
        int t3;
        for (t3 = 0; t3 < n; t3+=1) {
            i = t3;
            f(i);
        }
        g(i);
    """
    assert tidied(text) == expected("""
        int i, t3;
        for (t3 = 0; t3 < n; t3 += 1) {
            i = t3;
            f(i);
        }
        g(i);
    """)


def test_temporary_that_is_read_later_is_kept():
    text = """
        double t1;
        double x;
        double z;
        t1 = g(y);
        x = t1;
        h();
        z = t1;
    """
    assert "t1 = g(y);" in tidied(text)


def test_value_is_not_carried_past_a_change_of_type():
    text = """
        int t1;
        double x;
        t1 = n / 2.0;
        x = t1;
    """
    assert "t1 = n / 2.0;" in tidied(text)


def test_unused_loop_variable_and_its_copies_go():
    text = """
        CYTHON_UNUSED int k;
        int t3;
        for (t3 = 0; t3 < 9; t3+=1) {
            k = t3;
            f();
        }
    """
    assert tidied(text) == expected("""
        int t3;
        for (t3 = 0; t3 < 9; t3 += 1) {
            f();
        }
    """)


def test_switch_keeps_its_cases():
    text = """
        switch (kind) {
            case A:
            y = 1;
            break;
            default:
            y = 2;
            break;
        }
    """
    assert tidied(text) == expected("""
        switch (kind) {
        case A:
            y = 1;
            break;
        default:
            y = 2;
            break;
        }
    """)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1.0;\ny = f(x,", "'y = f\\(x,' is no statement"),
        ("if (x) {\nx = 0;", "a block is not closed"),
        ("x = 0;\n}", "'}' closes no block"),
    ],
)
def test_what_is_no_c_of_cython_is_refused(text, message):
    with pytest.raises(UnknownStatementError, match=message):
        tidied(text)
