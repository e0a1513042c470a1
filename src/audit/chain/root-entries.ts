import { AuditDigest } from '../log/audit-digest.repository';

/** An event in a root. */
export interface RootEntry {
  readonly id: string;
  /** In milliseconds. */
  readonly at: number;
  readonly digest: Buffer;
}

const ID_BYTES = 16;
const TIME_BYTES = 8;
const DIGEST_BYTES = 32;
const ENTRY_BYTES = ID_BYTES + TIME_BYTES + DIGEST_BYTES;

/** The entries of events, in their order: 16 bytes for the id, 8 for the time, 32 for the digest. */
export function encodeEntries(events: readonly AuditDigest[]): Buffer {
  return Buffer.concat(
    events.map(({ id, at, digest }) => {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeBigInt64BE(BigInt(at.getTime()));
      return Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), time, digest]);
    }),
  );
}

export function decodeEntries(bytes: Buffer): RootEntry[] {
  return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
    const entry = bytes.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    return {
      id: idOf(entry.subarray(0, ID_BYTES)),
      at: Number(entry.readBigInt64BE(ID_BYTES)),
      digest: entry.subarray(ID_BYTES + TIME_BYTES),
    };
  });
}

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
