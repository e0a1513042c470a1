import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { GUARD_ROUNDS } from './comparisons.mjs';
import { explanations } from './explanations.mjs';

const number = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const short = (value) => (value >= 100 ? number(value) : value >= 10 ? number(value, 1) : number(value, 2));
const row = (...cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(...head), row(...head.map(() => '---')), ...rows].join('\n');
const PROFILED =
  'For the goals that are missed: what profiles (`node --cpu-prof dist/main.js` under the same load) and counts of statements showed when these words were written, not at each run.';
const verdict = (isMet) => (isMet ? 'met' : '**not met**');

const labels = {
  perSecond: (against) => `requests a second, against ${against}`,
  cpu: (against) => `processor time saved, against ${against}`,
  p99: (against) => `99th percentile of the time, against ${against}`,
};

function goalRows({ title, goals, results }) {
  return goals.map(({ against, measure, least, most }) => {
    const value = results.find(({ name }) => name === against).ratio[measure];
    const goal = least === undefined ? `≤ ${most}×` : `≥ ${least}×`;
    const isMet = least === undefined ? value <= most : value >= least;
    return { cells: [title, labels[measure](against), goal, `${short(value)}×`], isMet };
  });
}

const bound = (title, what, value, most, unit, digits = 0) => ({
  cells: [title, what, `≤ ${most}${unit}`, `${number(value, digits)}${unit}`],
  isMet: value <= most,
});

function startRows({ postgres, embedded, memory, checkNs }) {
  return [
    ...(postgres
      ? [bound('Start', 'of the image, to ready, against a minimal Nest app', postgres.imageRatio, 1.8, '×', 2)]
      : []),
    ...(embedded
      ? [
          bound('Start', 'embedded database, a new folder', embedded.firstMs / 1_000, 6, ' s', 1),
          bound('Start', 'embedded database, again', embedded.againMs / 1_000, 2.5, ' s', 1),
        ]
      : []),
    ...(memory ? [bound('Memory', 'idle, PostgreSQL and Redis', memory.idleMb, 120, ' MB')] : []),
    ...(memory?.loadMb ? [bound('Memory', 'under load, PostgreSQL and Redis', memory.loadMb, 150, ' MB')] : []),
    ...(checkNs === undefined
      ? []
      : [bound('Permission check', 'in memory, among 100 grants', checkNs / 1_000, 1, ' µs', 2)]),
  ];
}

const growthRows = ({ sizes, results }) =>
  results.map(({ name, goal, ratio }) =>
    bound('Growth', `${name}, ${number(sizes[0])} to ${number(sizes[1])} users`, ratio, goal, '×', 2),
  );

const comparisonTable = ({ title, results }) =>
  `### ${title}\n\n${table(
    [
      '',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'server_cpu_us_per_req',
      'memory MB',
      'ratio of requests/s',
      'ratio of processor time',
    ],
    results.map(({ name, perSecond, p50, p99, cpuUs, residentMb, ratio }) =>
      row(
        name,
        short(perSecond),
        short(p50),
        short(p99),
        number(cpuUs),
        number(residentMb),
        short(ratio.perSecond),
        short(ratio.cpu),
      ),
    ),
  )}`;

const growthTable = ({ sizes, results }) =>
  `### Growth from ${number(sizes[0])} to ${number(sizes[1])} users\n\n${table(
    ['', `p50 ms, ${number(sizes[0])}`, `p50 ms, ${number(sizes[1])}`, 'takes longer'],
    results.map(({ name, small, large, ratio }) => row(name, short(small.p50), short(large.p50), `${short(ratio)}×`)),
  )}`;

const startText = ({ postgres, embedded }) =>
  `### Start\n\n${table(
    ['', 'ms'],
    [
      ...(postgres
        ? [
            row('on a migrated PostgreSQL, from modules', number(postgres.modulesMs)),
            row('the same, as the image starts it', number(postgres.imageMs)),
            row('a minimal Nest app', number(postgres.nestMs)),
          ]
        : []),
      ...(embedded
        ? [row('embedded, a new folder', number(embedded.firstMs)), row('embedded, again', number(embedded.againMs))]
        : []),
    ],
  )}`;

/** Where the time or memory goes, for the operations that miss a goal. */
function explained(goals) {
  const missed = new Set(goals.filter(({ isMet }) => !isMet).map(({ cells: [title] }) => title));
  const parts = [...missed].flatMap((title) => (explanations[title] ? [`### ${title}\n\n${explanations[title]}`] : []));
  return parts.length === 0 ? '' : `## Where it goes\n\n${[PROFILED, ...parts].join('\n\n')}\n\n`;
}

function versions(postgres, redis) {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
  const of = (name) => `${name} ${dependencies[name]}`;
  const own = ['better-auth', 'oidc-provider', 'fast-jwt', 'autocannon'].map(of).join(', ');
  return `Node ${process.versions.node}, PostgreSQL ${postgres}, Redis ${redis}, ${own}`;
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'no repository';
  }
}

/** @returns the report in Markdown, and how many goals were missed. */
export function writeReport({
  command,
  minutes,
  rounds,
  warmUpSeconds,
  postgres,
  redis,
  busy,
  comparisons,
  starts,
  growth,
  skipped,
}) {
  const goals = [...comparisons.flatMap(goalRows), ...startRows(starts), ...(growth ? growthRows(growth) : [])];
  const [cpu] = cpus();
  const missed = goals.filter(({ isMet }) => !isMet).length;
  const text = `# Performance

Written by \`${command}\` in ${number(minutes, 1)} minutes on ${new Date().toISOString().slice(0, 10)}, commit ${commit()}; the next run
writes it anew. Not edited by hand.

- machine: ${cpus().length} × ${cpu.model.trim()}, ${number(totalmem() / 2 ** 30)} GB, ${type()} ${release()}; the load is made on the same machine
- versions: ${versions(postgres, redis)}
- before, each contender is under load for ${warmUpSeconds} s, for logouts and growth as long as a round is; then they take turns,
  ${rounds} rounds (${rounds * GUARD_ROUNDS.times} shorter ones for the routes of a host), the order turned round each time; a figure is the median of its rounds, a ratio the median of the ratios of
  each round
- rate limits are off on all sides, the request log too (\`LOG_LEVEL=warn\`); all use the same PostgreSQL
- \`server_cpu_us_per_req\` is the processor time of the server's process tree for one request, without PostgreSQL and Redis.
  It says more than requests a second where other work shares the machine, which was ${number(busy * 100)} % busy during the load
- a ratio above 1 means that the service is faster, or spends less; for times, below 1
${skipped.length > 0 ? `- left out of this run: ${skipped.join(', ')}\n` : ''}
## Goals

${goals.length - missed} of ${goals.length} met.

${table(
  ['operation', 'measure', 'goal', 'measured', ''],
  goals.map(({ cells, isMet }) => row(...cells, verdict(isMet))),
)}

${explained(goals)}## Figures

${[...comparisons.map(comparisonTable), ...(starts.postgres || starts.embedded ? [startText(starts)] : []), ...(growth ? [growthTable(growth)] : [])].join('\n\n')}
`;
  return { text, missed };
}
