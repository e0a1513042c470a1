import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { answerNameOf } from '../access';

/** The answer as JSON, access judged; undefined where something has to be waited for or refused: then the handler answers. */
export type AnswerAtOnce = (request: FastifyRequest) => string | undefined;

type Done = (error?: Error) => void;

/** Of either the router makes a query. */
const ASKED_BESIDE = /[?#]/;

/** Answers to what is asked again and again, given before Nest's guards, pipes and promises, which cost more than they do. */
@Injectable()
export class AnswersAtOnce {
  private readonly answers = new Map<string, AnswerAtOnce>();
  private isOn = false;

  add(name: string, answer: AnswerAtOnce): void {
    this.answers.set(name, answer);
  }

  /** For a server of the service's own: in a host's, its hooks, guards and interceptors see every request. */
  turnOn(): void {
    this.isOn = true;
  }

  /** Looks at a route of the service as it is added. */
  adopt(route: RouteOptions): void {
    const answer = this.answers.get(answerNameOf(route.config) ?? '');
    if (!answer || !this.isOn) return;
    const before = [route.onRequest ?? []].flat();
    route.onRequest = [
      ...before,
      (request, reply, done) => {
        this.answer(answer, request, reply, done);
      },
    ];
  }

  private answer(answer: AnswerAtOnce, request: FastifyRequest, reply: FastifyReply, done: Done): void {
    // What is asked beside the route is for the handler's checks.
    const text = ASKED_BESIDE.test(request.raw.url ?? '') ? undefined : answer(request);
    if (text === undefined) done();
    else void reply.header('content-type', 'application/json; charset=utf-8').send(text);
  }
}
