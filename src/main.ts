import { sizeThreadPool } from './thread-pool';

// Before any module is loaded that may use a thread.
sizeThreadPool();

void import('./serve.js');
