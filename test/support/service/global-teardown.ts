import { calmEnd } from '../../../src/standalone/calm-end';
import { removeSharedBuild } from './service-process';
import { removeTestDatabase } from './test-database';

/** Jest exits right afterwards. */
const CALM_MS = 2_000;

export default async function teardown(): Promise<void> {
  removeSharedBuild();
  await removeTestDatabase();
  await calmEnd(CALM_MS);
}
