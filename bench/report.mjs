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
const PROFILED = 'Reasons for the missed goals, written by hand from profiles and statement counts.';
const OVERLOAD = 'Logins at four times the rate that can be served';
const verdict = (isMet) => (isMet ? 'met' : '**not met**');
/** The operation is in the first of its rows only. */
const goalTable = (goals) =>
  table(
    ['operation', 'measure', 'goal', 'measured', ''],
    goals.map(({ cells: [title, ...cells], isMet }, index) =>
      row(goals[index - 1]?.cells[0] === title ? '' : title, ...cells, verdict(isMet)),
    ),
  );

const labels = {
  perSecond: (against) => `requests per second, against ${against}`,
  cpu: (against) => `ratio of processor time, against ${against}`,
  p99: (against) => `99th percentile of latency, against ${against}`,
};
const units = { perSecond: '/s', cpuUs: ' µs' };
const figureLabels = { perSecond: 'requests per second', cpuUs: 'processor time' };

/** The value that a goal is about: the ratio to a contender, or the figure of a row. */
function subjectOf({ against, of, measure }, results) {
  const { ratio, ...figures } = results.find(({ name }) => name === (of ?? against));
  return of === undefined
    ? { label: labels[measure](against), value: ratio[measure], unit: '×' }
    : { label: `${figureLabels[measure]} of ${of}`, value: figures[measure], unit: units[measure] };
}

function goalRows({ title, goals, results }) {
  return goals.map((goal) => {
    const { least, most } = goal;
    const { label, value, unit } = subjectOf(goal, results);
    const wanted = least === undefined ? `≤ ${number(most, most < 1 ? 1 : 0)}` : `≥ ${least.toLocaleString('en')}`;
    const isMet = least === undefined ? value <= most : value >= least;
    return { cells: [title, label, `${wanted}${unit}`, `${short(value)}${unit}`], isMet };
  });
}

const bound = (title, what, value, most, unit, digits = 0) => ({
  cells: [title, what, `≤ ${most}${unit}`, `${number(value, digits)}${unit}`],
  isMet: value <= most,
});

function startRows({ postgres, embedded, memory, checkNs, remoteCheckNs }) {
  return [
    ...(postgres
      ? [
          bound('Start', 'time until the image is ready, against a minimal Nest app', postgres.imageRatio, 1.8, '×', 2),
          bound('Start', 'time until `npm start` is ready, against the same', postgres.modulesRatio, 3.5, '×', 2),
        ]
      : []),
    ...(embedded
      ? [
          bound('Start', 'embedded database, new data folder', embedded.firstMs / 1_000, 6, ' s', 1),
          bound('Start', 'embedded database, existing data folder', embedded.againMs / 1_000, 2.5, ' s', 1),
        ]
      : []),
    ...(memory ? [bound('Memory', 'idle, PostgreSQL and Redis', memory.idleMb, 130, ' MB')] : []),
    ...(memory?.loadMb ? [bound('Memory', 'under load, PostgreSQL and Redis', memory.loadMb, 220, ' MB')] : []),
    ...(checkNs === undefined
      ? []
      : [bound('Permission check', 'in memory, with 100 grants', checkNs / 1_000, 1, ' µs', 2)]),
    ...(remoteCheckNs === undefined
      ? []
      : [bound('Guard of another service', 'session in memory', remoteCheckNs / 1_000, 20, ' µs', 2)]),
  ];
}

const pageRows = (pages) =>
  pages
    .filter(({ most }) => most)
    .flatMap(({ name, most, kilobytes, paintedMs }) => [
      bound('Pages', `${name}, transferred`, kilobytes, most.kilobytes, ' kB', 1),
      bound('Pages', `${name}, largest contentful paint`, paintedMs / 1_000, most.paintedMs / 1_000, ' s', 2),
    ]);

const WEBHOOKS = 'Webhooks, 20 receivers, one of which hangs';

const webhookRows = ({ p99, startMb, endMb, missing, login }) => [
  bound(WEBHOOKS, 'from the event to the other receivers, 99th percentile', p99 / 1_000, 1, ' s', 2),
  bound(WEBHOOKS, 'events that did not arrive at the others', missing, 0, ''),
  bound(WEBHOOKS, 'memory at the end, against the start', endMb / startMb, 1.1, '×', 2),
  bound(
    WEBHOOKS,
    'share of the event and its delivery in the processor time of a login',
    login.share * 100,
    3,
    ' %',
    1,
  ),
];

const ORGANIZATIONS = 'Organizations';

const organizationRows = ({ organizations, costs, changes }) => [
  ...costs.flatMap(({ name, ratio }) => {
    const against = `with ${number(organizations)} organizations against none`;
    return [
      bound(ORGANIZATIONS, `${name}: time, ${against}`, ratio.perSecond, 1.2, '×', 2),
      bound(ORGANIZATIONS, `${name}: processor time, ${against}`, ratio.cpu, 1.2, '×', 2),
    ];
  }),
  bound(ORGANIZATIONS, 'a former membership on another instance, longest', changes.max / 1_000, 1, ' s', 3),
];

function onceRows({ memoryGrowth, instances, organizations, overload, pages, imported, webhooks }) {
  return [
    ...(memoryGrowth
      ? [
          bound(
            'Memory',
            `after ${memoryGrowth.minutes} minutes of mixed load, against its start`,
            memoryGrowth.endMb / memoryGrowth.startMb,
            1.1,
            '×',
            2,
          ),
        ]
      : []),
    ...(instances
      ? [bound('Three instances', 'last stale answer after a logout, 99th percentile', instances.p99, 100, ' ms', 1)]
      : []),
    ...(organizations ? organizationRows(organizations) : []),
    ...(overload
      ? [
          bound(OVERLOAD, 'answers other than 200, or 503 with Retry-After', overload.others, 0, ''),
          bound(OVERLOAD, 'failed liveness probes', overload.liveFailed, 0, ''),
          bound(OVERLOAD, 'time until a login is as fast as before', overload.normalAfter, 5, ' s', 1),
        ]
      : []),
    ...(pages ? pageRows(pages) : []),
    ...(imported ? [bound('Import', `${number(imported.users)} users`, imported.seconds, 10, ' s', 1)] : []),
    ...(webhooks ? webhookRows(webhooks) : []),
  ];
}

const overloadTable = (found) =>
  `### ${OVERLOAD}\n\n${table(
    ['for ' + found.seconds + ' s', ''],
    [
      row('logins per second that can be served', short(found.knee)),
      row('logins per second asked for', short(found.asked)),
      row('logins per second served', short(found.served)),
      row('503 with Retry-After per second', short(found.refused)),
      row('99th percentile of a served login, ms', number(found.servedP99)),
      row('99th percentile of a 503, ms', number(found.refusedP99)),
      row('99th percentile of `GET /health/live`, ms', number(found.liveP99)),
      row('highest memory, MB', number(found.memoryMb)),
    ],
  )}`;

const webhookTable = (found) =>
  `### ${WEBHOOKS}\n\nEach event is for one receiver, and is timed from its transaction. For ${found.seconds} s.\n\n${table(
    ['', ''],
    [
      row('events per second', number(found.eventsPerSecond)),
      row('median delay, ms', number(found.p50)),
      row('99th percentile of the delay, ms', number(found.p99)),
      row('longest delay, ms', number(found.max)),
      row('events that arrived twice', number(found.repeats)),
      row('new connections for them', number(found.connections)),
      row('processor time of the service for a delivery, µs', number(found.cpuUs)),
      row('memory at the start and at the end, MB', `${number(found.startMb)}, ${number(found.endMb)}`),
    ],
  )}`;

const organizationTable = ({ organizations, costs, changes }) =>
  `### ${ORGANIZATIONS}

Each user is a member of three of ${number(organizations)} organizations and of ten groups, and may do what is checked in the organization
only. Without organizations and groups, each user has all of these roles. After ${number(changes.count)} changes of memberships, a second instance
returned a former answer for at most ${number(changes.max, 1)} ms, 99th percentile ${number(changes.p99, 1)} ms.

${table(
  ['', 'requests/s without', 'with', 'ratio', 'processor time without, µs', 'with, µs', 'ratio'],
  costs.map(({ name, small, large, ratio }) =>
    row(
      name,
      short(small.perSecond),
      short(large.perSecond),
      `${short(ratio.perSecond)}×`,
      number(small.cpuUs),
      number(large.cpuUs),
      `${short(ratio.cpu)}×`,
    ),
  ),
)}`;

const pageTable = (pages) =>
  `### First visits\n\nEmpty cache, processor four times slower, slow 4G (1.6 Mbit/s, 150 ms). Files only, without the API's responses.\n\n${table(
    ['', 'kB transferred', 'largest contentful paint, s', 'requests'],
    pages.map(({ name, kilobytes, paintedMs, requests }) =>
      row(name, number(kilobytes, 1), number(paintedMs / 1_000, 2), number(requests)),
    ),
  )}`;

const statementTable = (rows) =>
  `### Work of PostgreSQL for one request\n\n${table(
    ['', 'statements', 'round trips'],
    rows.map(({ name, statements, roundTrips }) => row(name, String(statements), String(roundTrips))),
  )}`;

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
    ['', `p50 ms, ${number(sizes[0])}`, `p50 ms, ${number(sizes[1])}`, 'ratio'],
    results.map(({ name, small, large, ratio }) => row(name, short(small.p50), short(large.p50), `${short(ratio)}×`)),
  )}`;

const indexingTable = ({ sizes, indexed: { before, during, seconds } }) =>
  `### Logins while an attribute of ${number(sizes[1])} users becomes searchable

It takes ${number(seconds)} s, during which ${number(during.logins)} users log in over 4 connections.

${table(
  ['', 'p50 ms', 'longest ms'],
  [row('before', short(before.p50), short(before.longest)), row('during', short(during.p50), short(during.longest))],
)}`;

const startText = ({ postgres, embedded }) =>
  `### Start\n\n${table(
    ['', 'ms'],
    [
      ...(postgres
        ? [
            row('migrated PostgreSQL, from the modules', number(postgres.modulesMs)),
            row('migrated PostgreSQL, from the bundle of the image', number(postgres.imageMs)),
            row('minimal Nest app', number(postgres.nestMs)),
          ]
        : []),
      ...(embedded
        ? [
            row('embedded, new data folder', number(embedded.firstMs)),
            row('embedded, existing data folder', number(embedded.againMs)),
          ]
        : []),
    ],
  )}`;

/** Where an operation that misses a goal spends its time or memory. */
function explained(goals) {
  const missed = new Set(goals.filter(({ isMet }) => !isMet).map(({ cells: [title] }) => title));
  const parts = [...missed].flatMap((title) => (explanations[title] ? [`### ${title}\n\n${explanations[title]}`] : []));
  return parts.length === 0 ? '' : `## Where the time and memory go\n\n${[PROFILED, ...parts].join('\n\n')}\n\n`;
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
    return 'unknown';
  }
}

/** @returns the report in Markdown, and the number of missed goals. */
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
  once,
  growth,
  skipped,
}) {
  const goals = [
    ...comparisons.flatMap(goalRows),
    ...startRows(starts),
    ...onceRows(once),
    ...(growth ? growthRows(growth) : []),
  ];
  const [cpu] = cpus();
  const missed = goals.filter(({ isMet }) => !isMet).length;
  const text = `# Performance

Written by \`${command}\` in ${number(minutes, 1)} minutes on ${new Date().toISOString().slice(0, 10)}, commit ${commit()}. The next run
overwrites this file. Do not edit it by hand.

- machine: ${cpus().length} × ${cpu.model.trim()}, ${number(totalmem() / 2 ** 30)} GB, ${type()} ${release()}. The load generator runs on the same machine
- versions: ${versions(postgres, redis)}
- after ${warmUpSeconds} s of load, contenders alternate for ${rounds} rounds (${rounds * GUARD_ROUNDS.times} shorter ones for the routes of a host application). Figures and
  ratios are medians of the rounds
- rate limits and request logs (\`LOG_LEVEL=warn\`) are off for all contenders. All use the same PostgreSQL
- \`server_cpu_us_per_req\` is the processor time of the server's process tree per request, without PostgreSQL and Redis. The machine was
  ${number(busy * 100)} % busy during the load
- a ratio above 1 means that the service is faster or uses less. For latencies, that is a ratio below 1
${skipped.length > 0 ? `- skipped in this run: ${skipped.join(', ')}\n` : ''}
## Goals

${goals.length - missed} of ${goals.length} met.

${goalTable(goals)}

${explained(goals)}## Figures

${[...comparisons.map(comparisonTable), ...(starts.postgres || starts.embedded ? [startText(starts)] : []), ...(once.organizations ? [organizationTable(once.organizations)] : []), ...(once.overload ? [overloadTable(once.overload)] : []), ...(once.pages ? [pageTable(once.pages)] : []), ...(once.webhooks ? [webhookTable(once.webhooks)] : []), ...(once.statements ? [statementTable(once.statements)] : []), ...(growth ? [growthTable(growth), indexingTable(growth)] : [])].join('\n\n')}
`;
  return { text, missed };
}
