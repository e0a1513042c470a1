jest.mock('castellan-client', () => jest.requireActual<object>('../../client/src/index'), { virtual: true });
import { testRendering } from './rendering-cases.spec';

testRendering('19');
