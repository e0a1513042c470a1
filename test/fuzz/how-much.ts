/** Number of requests per route, seed, and path within the run, from the environment. */
export const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 30);
export const SEED = Number(process.env['FUZZ_SEED'] ?? 2_136_736_385);
export const PATH = process.env['FUZZ_PATH'];
