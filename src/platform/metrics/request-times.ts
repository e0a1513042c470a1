export interface AnsweredRequest {
  readonly method: string;
  /** The route's pattern, never the address itself: a label must not grow with its visitors. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

interface Series {
  readonly method: string;
  readonly status: number;
  /** How many took no longer than the bound of the same place, and longer than the one before; the last: than any. */
  readonly counts: number[];
  sum: number;
}

const NAME = 'castellan_http_request_seconds';
const HELP = 'Time to answer, by route and status';
/** In seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * A histogram of every answer. Not the library's: that makes a text of the labels for each value, which was a twentieth of
 * what a session check costs.
 */
export class RequestTimes {
  private readonly routes = new Map<string, Series[]>();

  count({ method, route, status, seconds }: AnsweredRequest): void {
    const series = this.seriesOf(method, route, status);
    let place = 0;
    while (place < BOUNDS.length && seconds > (BOUNDS[place] ?? 0)) place += 1;
    series.counts[place] = (series.counts[place] ?? 0) + 1;
    series.sum += seconds;
  }

  /** In Prometheus' text format 0.0.4. */
  text(): string {
    const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`];
    for (const [route, ofRoute] of this.routes) for (const series of ofRoute) lines.push(...linesOf(route, series));
    return `${lines.join('\n')}\n`;
  }

  private seriesOf(method: string, route: string, status: number): Series {
    let ofRoute = this.routes.get(route);
    if (!ofRoute) this.routes.set(route, (ofRoute = []));
    for (const series of ofRoute) if (series.status === status && series.method === method) return series;
    const made = { method, status, counts: [...BOUNDS, Infinity].map(() => 0), sum: 0 };
    ofRoute.push(made);
    return made;
  }
}

function linesOf(route: string, { method, status, counts, sum }: Series): string[] {
  const labels = `method="${escaped(method)}",route="${escaped(route)}",status="${status}"`;
  let below = 0;
  const buckets = counts.map((count, place) => {
    below += count;
    return `${NAME}_bucket{le="${BOUNDS[place] ?? '+Inf'}",${labels}} ${below}`;
  });
  return [...buckets, `${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${below}`];
}

const escaped = (text: string): string => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"');
