export { LifecycleModule } from './lifecycle.module';
