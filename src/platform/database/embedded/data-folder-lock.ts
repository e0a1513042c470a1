import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { FolderClaim, releaseClaim, isAlive, makeClaim } from './folder-claim';

const LOCK_FILE = 'castellan.lock';

/** Divides every page and sector size, so that a reader sees a whole claim or none. */
const CLAIM_BYTES = 512;

/** A round fails only if the owner claimed the folder and died meanwhile. */
const MAX_ROUNDS = 100;

const { O_APPEND, O_CREAT, O_WRONLY } = constants;

/** Another process, or another database of this one, uses the data folder. */
export class DataFolderInUseError extends Error {
  readonly code = 'DATA_FOLDER_IN_USE';

  constructor(
    readonly folder: string,
    readonly pid: number,
    readonly host: string,
  ) {
    super(
      `The data folder ${folder} is in use by process ${pid} on host ${host}: stop the server first. ` +
        `If that process is certainly gone, delete ${join(folder, LOCK_FILE)}.`,
    );
    this.name = 'DataFolderInUseError';
  }
}

/**
 * Locks a data folder for one process, because two embedded databases on one folder lose rows without an error.
 * Processes append claims to one file, and the first claim of a live process wins: appending orders the claims, so two
 * processes that find a dead owner cannot both win. Local file systems only.
 */
export class DataFolderLock {
  private released = false;

  private constructor(
    private readonly path: string,
    private readonly claim: FolderClaim,
  ) {}

  /** Creates the folder (0700) if missing and locks it. Errors: `DataFolderInUseError` while another owner is alive. */
  static async acquire(folder: string): Promise<DataFolderLock> {
    const absolute = resolve(folder);
    mkdirSync(absolute, { recursive: true, mode: 0o700 });
    const path = join(absolute, LOCK_FILE);
    const claim = makeClaim();
    const owner = contend(path, claim);
    if (owner.id === claim.id) return new DataFolderLock(path, claim);
    releaseClaim(claim);
    throw new DataFolderInUseError(absolute, owner.pid, owner.host);
  }

  /** Idempotent. Keeps a lock file that another process has claimed meanwhile. */
  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    if (ownerIn(this.path)?.id === this.claim.id) rmSync(this.path, { force: true });
    releaseClaim(this.claim);
  }
}

/** Returns the claim that owns the folder: `claim` if it won. */
function contend(path: string, claim: FolderClaim): FolderClaim {
  const present = ownerIn(path);
  if (present) return present;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    append(path, claim, O_CREAT);
    const owner = ownerIn(path);
    if (owner?.id === claim.id) dropDeadClaims(path, claim);
    else if (owner) withdraw(path, claim);
    if (owner) return owner;
  }
  throw new Error(`The lock file ${path} does not keep what is written to it.`);
}

/** The first claim that was not withdrawn and whose process is alive. */
function ownerIn(path: string): FolderClaim | undefined {
  const claims = readClaims(path);
  const withdrawn = new Set(claims.filter((claim) => claim.withdrawn).map((claim) => claim.id));
  return claims.find((claim) => !withdrawn.has(claim.id) && isAlive(claim));
}

function readClaims(path: string): FolderClaim[] {
  try {
    return readFileSync(path, 'utf8').split('\n').flatMap(parseClaim);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A malformed line is left by a power cut, which ended its process as well. */
function parseClaim(line: string): FolderClaim[] {
  try {
    const parsed = JSON.parse(line) as Partial<FolderClaim> | null;
    return typeof parsed?.id === 'string' && typeof parsed.pid === 'number' ? [parsed as FolderClaim] : [];
  } catch {
    return [];
  }
}

function append(path: string, claim: FolderClaim, createFlag: number): void {
  const file = openSync(path, O_WRONLY | O_APPEND | createFlag, 0o600);
  try {
    writeSync(file, `${JSON.stringify(claim).padEnd(CLAIM_BYTES - 1)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function withdraw(path: string, claim: FolderClaim): void {
  try {
    append(path, { ...claim, withdrawn: true }, 0);
  } catch (error) {
    // The owner has released the folder and deleted the file with our claim.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Keeps the file short. A process that loses its claim by this finds our live claim instead. */
function dropDeadClaims(path: string, claim: FolderClaim): void {
  const fresh = `${path}.${claim.id}`;
  append(fresh, claim, O_CREAT);
  renameSync(fresh, path);
}
