/** By an operation's title in the report: why its goals are out of reach as the service stands. */
export const explanations = {};
