import 'reflect-metadata';
import { Body, Get, Module, Post, Query, Type } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiController, Authenticated, IdentityModule, Public, TextField, UncheckedInput } from '../../src';
import { identityOptions, startModule } from '../support/hosts/host-app';
import { auditRoutes } from '../support/documents/route-audit';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

async function started(controller: Type): Promise<NestFastifyApplication> {
  @Module({ imports: [IdentityModule.forRoot(identityOptions(database))], controllers: [controller] })
  class HostModule {}

  return startModule(HostModule);
}

describe('input of a host controller', () => {
  it('ends the start with a body or query class without declared fields', async () => {
    class NotedDto {
      note: string;
    }
    class OddQueryDto {
      q?: string;
    }
    @ApiController('host-notes')
    class NotesController {
      @Post()
      @Authenticated()
      add(@Body() _body: NotedDto): void {}
    }
    @ApiController('host-odd')
    class OddController {
      @Get()
      @Authenticated()
      list(@Query() _query: OddQueryDto): void {}
    }
    await expect(started(NotesController)).rejects.toThrow(
      'NotesController.add uses NotedDto, which declares no field: put @TextField() or another field decorator on its properties',
    );
    await expect(auditRoutes(OddController)).rejects.toThrow('OddController.list uses OddQueryDto');
  });

  it.each<[string, ParameterDecorator]>([
    ['@Body()', Body()],
    ['@Query()', Query()],
  ])('ends the start with %s of a type that is no class, unless declared as unchecked', async (name, decorator) => {
    interface Note {
      readonly text: string;
    }
    @ApiController('host-notes')
    class NotesController {
      @Post()
      @Authenticated()
      add(@decorator _note: Note): void {}
    }
    @ApiController('host-unknown')
    class UnknownController {
      @Post()
      @Authenticated()
      add(@decorator _note: unknown): void {}
    }
    @ApiController('host-either')
    class EitherController {
      @Post()
      @Authenticated()
      add(@decorator _note: Note | string): void {}
    }
    @ApiController('host-declared')
    class DeclaredController {
      @Post()
      @Authenticated()
      add(@decorator @UncheckedInput() _note: unknown): void {}
    }
    for (const controller of [NotesController, UnknownController, EitherController]) {
      const failure: unknown = await auditRoutes(controller).catch((error: unknown) => error);
      expect((failure as Error).message).toMatch(/^[^\n]*declare a class [^\n]* or put @UncheckedInput\(\)[^\n]*$/);
      expect((failure as Error).message).toContain(`${controller.name}.add has ${name} of a type that is no class`);
    }
    await expect(auditRoutes(DeclaredController)).resolves.toBeUndefined();
  });

  it('reaches the handler as it arrived when it is declared as unchecked, and no other input does', async () => {
    class QueryDto {
      @TextField({ description: 'A word', max: 5, example: 'word' }) word: string;
    }
    @ApiController('host-unchecked')
    class UncheckedController {
      @Post('body')
      @Public()
      body(@Body() @UncheckedInput() body: unknown, @Query() query: QueryDto): object {
        return { body, query };
      }

      @Get('query')
      @Public()
      query(@Query() @UncheckedInput() query: unknown): object {
        return { query };
      }
    }
    const app = await started(UncheckedController);
    const ask = async (method: 'GET' | 'POST', url: string, payload?: object): Promise<unknown> => {
      const headers = { 'sec-fetch-site': 'same-origin' };
      const { statusCode, body } = await app.inject({ method, url, headers, ...(payload && { payload }) });
      return statusCode < 300 ? (JSON.parse(body) as unknown) : statusCode;
    };
    try {
      const payload = { any: [{ thing: 1 }] };
      const body = '/api/host-unchecked/body';
      expect(await ask('POST', `${body}?word=small`, payload)).toEqual({ body: payload, query: { word: 'small' } });
      expect(await ask('POST', `${body}?word=too-long`, payload)).toBe(400);
      const query = { any: 'thing', many: ['1', '2'] };
      expect(await ask('GET', '/api/host-unchecked/query?any=thing&many=1&many=2')).toEqual({ query });
    } finally {
      await app.close();
    }
  });
});
