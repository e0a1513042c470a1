/** Wordings that users read less easily than what is to be written instead. */
const RULES = [
  { pattern: /\bat once\b/i, instead: '"immediately" or "right away"' },
  { pattern: /\bempty: /i, instead: '"Leave empty to …"' },
  { pattern: /\bpictures?\b/i, instead: '"image"' },
  { pattern: /^Whether /, instead: 'an imperative, such as "Let people register themselves"' },
  { pattern: /\bsign(ed|ing)?[ -](in|out|up)\b(?! with Apple)/i, instead: '"log in", "log out" or "register"' },
];
/** A Chinese text has no space between Chinese words; `closeGaps` removes those beside Chinese names. */
const GAP = /\p{Script=Han} +\p{Script=Han}/u;

const faultsIn = (section, key, text) =>
  RULES.filter(({ pattern }) => pattern.test(text)).map(
    ({ pattern, instead }) => `${section}.json: ${key} says "${pattern.exec(text)[0].trim()}": write ${instead}`,
  );

/** The faults in the wording of all texts. */
export function wordingFaults(english, chinese) {
  const each = (language, find) =>
    [...language].flatMap(([section, texts]) => [...texts].flatMap(([key, text]) => find(section, key, text)));
  return [
    ...each(english, faultsIn),
    ...each(chinese, (section, key, text) =>
      GAP.test(text) ? [`zh/${section}.json: ${key} has a space between Chinese words`] : [],
    ),
  ];
}
