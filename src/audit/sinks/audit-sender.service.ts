import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { AuditEventDto } from '../log/dto/audit.dto';
import { Environment } from '../../platform/config';
import type { AuditSinkConfig } from './audit-sink.variables';
import { CollectorClient, OutboundBeginning, OutboundError } from '../../platform/outbound';
import { AuditSinkError } from './audit-sink-error';
import { otlpLogs, rejectedRecords } from './otlp-logs';
import { sendFrames } from './syslog-connection';
import { syslogFrame } from './syslog-message';

/** Statuses about the content. Others, such as 401 or 404, concern every event. */
const REJECTIONS = [400, 413, 422];

/** Sends events of the audit log to one receiver, in its form. */
@Injectable()
export class AuditSenderService {
  private readonly host: string;

  constructor(
    private readonly collectors: CollectorClient,
    { publicUrl }: Environment,
  ) {
    this.host = publicUrl === undefined ? hostname() : new URL(publicUrl).hostname;
  }

  /**
   * Returns how many events the receiver has dropped, which is no failure; undefined: its answer does not tell. Errors:
   * `AuditSinkError`.
   */
  async send(sink: AuditSinkConfig, events: readonly AuditEventDto[]): Promise<number | undefined> {
    switch (sink.kind) {
      case 'ndjson':
        await this.post(sink, 'application/x-ndjson', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
        return 0;
      case 'otlp': {
        const { text, isWhole } = await this.post(sink, 'application/json', otlpLogs(events, this.host));
        return isWhole ? rejectedRecords(text) : undefined;
      }
      case 'syslog':
        await sendFrames(
          sink,
          events.map((event) => syslogFrame(event, this.host)),
        );
        return 0;
    }
  }

  private async post(
    { url, authorization, ca }: AuditSinkConfig,
    type: string,
    body: string,
  ): Promise<OutboundBeginning> {
    const headers = { 'content-type': type, ...(authorization !== undefined && { authorization }) };
    try {
      const answer = await this.collectors.post({ url, headers, body, ca });
      const { status } = answer;
      if (status < 200 || status > 299) throw new AuditSinkError(`status_${status}`, REJECTIONS.includes(status));
      return answer;
    } catch (error) {
      throw error instanceof OutboundError ? new AuditSinkError(error.reason) : error;
    }
  }
}
