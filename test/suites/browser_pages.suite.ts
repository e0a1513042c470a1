import '../browser/stage';
import { loadSuite } from './load-suite';

loadSuite('browser_pages');
