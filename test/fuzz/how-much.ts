/** How many requests a route is sent, from which seed, and from where in it: for whoever runs it to say. */
export const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 30);
export const SEED = Number(process.env['FUZZ_SEED'] ?? 2_136_736_385);
export const PATH = process.env['FUZZ_PATH'];
