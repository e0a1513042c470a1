import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A claim to a data folder: one line of the lock file. */
export interface FolderClaim {
  /** Distinguishes claims of one process. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Start of the process in kernel ticks since boot; null if the system does not report it. */
  readonly startedAt: string | null;
  /** Id of the boot of the machine; null if the system does not report it. */
  readonly bootId: string | null;
  /** Withdraws the claim `id`. */
  readonly withdrawn?: true;
}

/** Claims of this process: needed to recognize them if the system does not report start times. */
const ownClaims = new Set<string>();

/** Creates a claim for this process, valid until `releaseClaim`. */
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

export function releaseClaim(claim: FolderClaim): void {
  ownClaims.delete(claim.id);
}

/** False only if the claim's process is certainly gone, which is never certain for a process on another host. */
export function isAlive(claim: FolderClaim): boolean {
  if (claim.host !== hostname()) return true;
  if (claim.bootId !== bootId()) return false;
  if (claim.pid === process.pid && claim.startedAt === null) return ownClaims.has(claim.id);
  return processExists(claim.pid) && sameProcess(claim);
}

function sameProcess(claim: FolderClaim): boolean {
  const present = processStart(claim.pid);
  if (!present || claim.startedAt === null) return true;
  // A killed process that its parent has not reaped keeps its entry.
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

/** Reads state and start time of a process from proc(5); undefined if /proc does not show it. */
function processStart(pid: number): { state: string; startedAt: string } | undefined {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return undefined;
  // The second field is the program name, which may contain spaces and parentheses.
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
