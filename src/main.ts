import { sizeThreadPool } from './standalone/thread-pool';

// Runs before any module is loaded that may use a thread.
sizeThreadPool();

void import('./standalone/serve.js');
