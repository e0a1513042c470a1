import { loadSuite } from './load-suite';

loadSuite('instances');
