/** The default alphabet of GSM 03.38, and its extension, whose characters take two places. */
const BASIC = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]$/u;
const EXTENDED = /^[\f^{}\\[~\]|€]$/u;

const GSM = { single: 160, joined: 153 };
const UCS2 = { single: 70, joined: 67 };

const segments = (length: number, { single, joined }: typeof GSM): number =>
  length <= single ? 1 : Math.ceil(length / joined);

/** The number of SMS that carriers send, and bill, for the text. */
export function smsSegments(text: string): number {
  const characters = Array.from(text);
  const isGsm = characters.every((character) => BASIC.test(character) || EXTENDED.test(character));
  if (!isGsm) return segments(text.length, UCS2);
  return segments(characters.length + characters.filter((character) => EXTENDED.test(character)).length, GSM);
}
