// A controller of NestJS: a list, and a method of its own whose errors an exception filter turns into 400.
import 'reflect-metadata';
import {
  All,
  Catch,
  Controller,
  Get,
  Headers,
  Module,
  Query,
  Req,
  Res,
  UnauthorizedException,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
  type OnModuleDestroy,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request, Response } from 'express';
import { FilterError } from 'tamis';
import { listEndpoint } from 'tamis/http';
import { createList, QueryError } from 'tamis/query';
import { access, jobs, options, teamOf } from './jobs.mjs';

@Catch(FilterError, QueryError)
class QueryErrors implements ExceptionFilter {
  catch(error: FilterError | QueryError, host: ArgumentsHost): void {
    const status = error instanceof QueryError && error.code === 'too-busy' ? 429 : 400;
    // A FilterError as a string has the line of the filter with carets under the mistake.
    host.switchToHttp().getResponse<Response>().status(status).type('text').send(String(error));
  }
}

@Controller('v1/jobs')
class JobsController implements OnModuleDestroy {
  private readonly endpoint = listEndpoint(jobs, options);
  private readonly list = createList(jobs);

  @Get('count')
  @UseFilters(QueryErrors)
  async count(@Query('filter') filter: string, @Headers('authorization') token: string): Promise<object> {
    const team = teamOf(token);
    if (team === null) throw new UnauthorizedException();
    return { total: await this.list.count({ filter, access: access(team) }) };
  }

  @All()
  all(@Req() request: Request, @Res() response: Response): void {
    this.endpoint.node(request, response);
  }

  onModuleDestroy(): void {
    this.endpoint.close();
    this.list.close();
  }
}

@Module({ controllers: [JobsController] })
class AppModule {}

export async function start(port = 0): Promise<{ url: string; close: () => Promise<void> }> {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(port, '127.0.0.1');
  return { url: `${await app.getUrl()}/v1/jobs`, close: () => app.close() };
}
