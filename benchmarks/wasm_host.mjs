// Runs a plan in WebAssembly: node wasm_host.mjs ENGINE PLAN. For each line of its input, a count, it starts the plan
// and runs it to its end so many times, and prints the processor time that it took, in seconds.
import {readFileSync} from "node:fs";
import {createInterface} from "node:readline";

const [engineFile, planFile] = process.argv.slice(2);
const {instance} = await WebAssembly.instantiate(readFileSync(engineFile));
const {memory, ...keelblocks} = instance.exports;
const plan = readFileSync(planFile);
const address = keelblocks.allocate(plan.length);
new Uint8Array(memory.buffer).set(plan, address);
const engine = keelblocks.open(address, plan.length);

for await (const line of createInterface({input: process.stdin})) {
    const before = process.cpuUsage();
    for (let k = 0; k < Number(line); k++) {
        keelblocks.start(engine, keelblocks.plan_start(engine));
        const status = keelblocks.proceed(engine, keelblocks.plan_end(engine), 0, 1);
        if (status !== 0 && status !== 2) throw new Error(`the run ended with status ${status}`);
    }
    const {user, system} = process.cpuUsage(before);
    console.log(1e-6 * (user + system));
}
