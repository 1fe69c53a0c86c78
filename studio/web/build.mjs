// Builds the parts of a page from src/ into ../assets: the page, its worker, what is loaded late, styles and licences.
// Equal sources and an equal package-lock.json give equal bytes. `node build.mjs FOLDER` writes them elsewhere.

import { build } from "esbuild";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "assets");
const modules = join(here, "node_modules");

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

const common = {
  absWorkingDir: here,
  bundle: true,
  charset: "utf8",
  format: "iife",
  legalComments: "none", // they stand in licences.txt
  logLevel: "warning",
  metafile: true,
  minify: true,
  target: ["chrome109", "firefox115", "safari16.4"],
  write: true,
};
const scripts = [
  ["src/page/main.ts", "page.js"],
  ["src/engine/worker.ts", "worker.js"],
  ["src/late/attitude.ts", "attitude.js"],
  ["src/page/page.css", "page.css"],
];
const used = new Set();
for (const [source, target] of scripts) {
  const made = await build({ ...common, entryPoints: [source], outfile: join(out, target) });
  for (const input of Object.keys(made.metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) used.add(found[1]);
  }
  const text = await readFile(join(out, target), "utf8");
  if (/<\/script|<!--|<\/style/i.test(text)) throw new Error(`${target} holds text that would end its block in HTML`);
}

const licences = ["What this page is made of, besides Keelblocks (MIT):"];
for (const name of [...used].sort()) {
  const about = JSON.parse(await readFile(join(modules, name, "package.json"), "utf8"));
  const file = (await readdir(join(modules, name))).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no file with its licence`);
  licences.push(`\n${about.name} ${about.version}\n`, (await readFile(join(modules, name, file), "utf8")).trim());
}
await writeFile(join(out, "licences.txt"), licences.join("\n") + "\n");
