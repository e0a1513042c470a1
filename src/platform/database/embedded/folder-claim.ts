import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who says the folder is theirs: one line of the lock file. */
export interface FolderClaim {
  /** Tells two claims of one process apart. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** When the process started, in kernel ticks since boot; null where the system does not tell. */
  readonly startedAt: string | null;
  /** The boot of the machine; null where the system does not tell. */
  readonly bootId: string | null;
  /** The claim `id` no longer stands. */
  readonly withdrawn?: true;
}

/** Claims this process holds: the only way to know our own where the system tells no start time. */
const ownClaims = new Set<string>();

/** Makes a claim for this process; it lives until `forgetClaim`. */
export function makeClaim(): FolderClaim {
  const id = `${process.pid}-${process.hrtime.bigint().toString(36)}`;
  ownClaims.add(id);
  return {
    id,
    pid: process.pid,
    host: hostname(),
    startedAt: processStart(process.pid)?.startedAt ?? null,
    bootId: bootId(),
  };
}

export function forgetClaim(claim: FolderClaim): void {
  ownClaims.delete(claim.id);
}

/** True unless the claim's process is certainly gone; a process on another host is never certainly gone. */
export function isAlive(claim: FolderClaim): boolean {
  if (claim.host !== hostname()) return true;
  if (claim.bootId !== bootId()) return false;
  if (claim.pid === process.pid && claim.startedAt === null) return ownClaims.has(claim.id);
  return processExists(claim.pid) && sameProcess(claim);
}

function sameProcess(claim: FolderClaim): boolean {
  const present = processStart(claim.pid);
  if (!present || claim.startedAt === null) return true;
  // A killed process that nobody has reaped keeps its entry, yet runs no more.
  if (present.state === 'Z' || present.state === 'X') return false;
  return present.startedAt === claim.startedAt;
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** State and start of a process from proc(5); undefined where /proc does not show it. */
function processStart(pid: number): { state: string; startedAt: string } | undefined {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return undefined;
  // The second field is the program's name and may hold spaces and brackets.
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [afterName[0], afterName[19]];
  return state === undefined || startedAt === undefined ? undefined : { state, startedAt };
}

function bootId(): string | null {
  return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
