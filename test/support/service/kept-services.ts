import type { SharedService } from './shared-service';
import type { TestServiceOptions } from './test-service';

/** Whether the files of this run share services; set by a suite. */
let isKept = false;
const idle: SharedService[] = [];

/** Call once in a suite: `withService` then hands one service from file to file. */
export function keepServices(): void {
  isKept = true;
  afterAll(async () => {
    for (const shared of idle.splice(0)) await shared.service.stop();
  });
}

export const areKept = (): boolean => isKept;

/** Takes the service that a former file has left, if it was started with the same object of options. */
export function takeIdle(options: TestServiceOptions): SharedService | undefined {
  const place = idle.findIndex((shared) => shared.options === options);
  return place < 0 ? undefined : idle.splice(place, 1)[0];
}

/** Leaves a service to the next file, or stops it where there is none. */
export async function leave(shared: SharedService): Promise<void> {
  if (!isKept) return shared.service.stop();
  await shared.service.stopOthers();
  idle.push(shared);
}
