import { sizeThreadPool } from './thread-pool';

// Runs before any module is loaded that may use a thread.
sizeThreadPool();

void import('./serve.js');
