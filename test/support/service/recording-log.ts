import type { Log } from '../../../src/platform/logging';
import { RecordingLog } from '../../../src/testing/recording-log';

export { RecordingLog };

export const silentLog: Log = new RecordingLog();
