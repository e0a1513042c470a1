import { OnEvent } from '@nestjs/event-emitter';
import { userCreated } from './user.events';

/**
 * Marks a method of any provider as a listener to new users; it is given `UserCreated`. It is `@OnEvent` for one event, whose
 * errors come back to us, to be logged with the user's id.
 */
export const OnUserCreate = (): MethodDecorator => OnEvent(userCreated.name, { suppressErrors: false });
