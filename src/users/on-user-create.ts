import { OnEvent } from '@nestjs/event-emitter';
import { userCreated } from './user.events';

/**
 * Marks a provider method as a listener for new users. It receives `UserCreated`. Same as `@OnEvent`, except that
 * errors reach this service, which logs them with the user's id.
 */
export const OnUserCreate = (): MethodDecorator => OnEvent(userCreated.name, { suppressErrors: false });
