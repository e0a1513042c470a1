import 'reflect-metadata';
import { prepareSharedBuild } from './service-process';
import { prepareTestDatabase } from './test-database';

export default async function setup(): Promise<void> {
  prepareSharedBuild();
  await prepareTestDatabase();
}
