/** The report as two pages by file: the goals with their reasons, and the figures of all contenders. */
export function pagesOf(text) {
  const [goals, figures] = text.split('\n## Figures\n');
  return {
    'docs/performance.md': `${goals}\n\`bench/figures.md\` has the measurements of all contenders.\n`,
    'bench/figures.md': `# Figures of the performance tests

Written by \`npm run bench\` together with [performance](../docs/performance.md), which says how they were measured. Do not edit it by hand.
${figures.replaceAll('\n### ', '\n## ')}`,
  };
}
