const blank = (text) => text.replace(/[^\n]/g, ' ');

/** The prose of a Markdown page: code, link targets, HTML and images are blanked, so line numbers stay the same. */
export const proseOf = (markdown) =>
  markdown
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`\n]+`/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank)
    .replace(/<[^>\n]+>/g, blank)
    .replace(/https?:\/\/\S+/g, blank);

/** The comments of files with `#` comments: YAML, nginx, Dockerfile, shell. */
export const hashCommentsOf = (text) => text.replace(/^(?!\s*#).*$/gm, (line) => /\s#\s.*$/.exec(line)?.[0] ?? '');

/** The values of a JSON file of texts, with line numbers unchanged. */
export const jsonTextsOf = (text) => text.replace(/^\s*("(?:[^"\\]|\\.)*"\s*:\s*)?/gm, (key) => blank(key));
