const blank = (text) => text.replace(/[^\n]/g, ' ');

/** A Markdown page without code, addresses of links, HTML and pictures; lines stay where they are. */
export const proseOf = (markdown) =>
  markdown
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`\n]+`/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank)
    .replace(/<[^>\n]+>/g, blank)
    .replace(/https?:\/\/\S+/g, blank);

/** The comments of files where `#` begins one: YAML, nginx, Dockerfile, shell. */
export const hashCommentsOf = (text) => text.replace(/^(?!\s*#).*$/gm, (line) => /\s#\s.*$/.exec(line)?.[0] ?? '');

/** Every text of a JSON file of texts, on the line of its key. */
export const jsonTextsOf = (text) => text.replace(/^\s*("(?:[^"\\]|\\.)*"\s*:\s*)?/gm, (key) => blank(key));
