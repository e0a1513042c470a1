import { loadSuite } from './load-suite';

loadSuite('redis');
