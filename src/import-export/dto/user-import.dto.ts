import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { QueryBooleanField, TextField } from '../../platform/http/input';
import { CsvImport, CsvImportLine } from '../csv-import.service';

/** Somewhat less than the body that carries it. */
const MAX_CSV = 900_000;

export class ImportUsersDto {
  @TextField({
    description:
      'The CSV file: a line with the columns, then up to 500 users. Columns: username or email, and nickname, email_verified, ' +
      'phone, phone_verified, locale, status, roles (at most 100, separated by spaces), and attributes.<name> for each attribute (a ' +
      'list has one item a line). The other columns of an export are ignored',
    min: 1,
    max: MAX_CSV,
    example: 'username,email,email_verified\nann,ann@example.com,true\n',
  })
  csv: string;
}

export class ImportUsersQueryDto {
  @QueryBooleanField({ description: 'true: return the result without importing', optional: true })
  dry_run?: boolean;
}

export class RoleLeftOutDto {
  @ApiProperty({ description: 'As in the file', example: 'billing:bookkeeper' }) role: string;
  @ApiProperty({
    enum: ['unknown_role', 'escalation_denied', 'role_unavailable', 'account_exists'],
    description:
      'There is no such role; the caller may not give it; one of the two, for a caller without role:read; ' +
      'or the user has an account already, whose roles stay as they are',
  })
  why: string;
}

export class RoleGivenDto {
  @ApiProperty({ description: 'Scope and name', example: 'billing:bookkeeper' }) role: string;
  @ApiProperty({ type: 'integer', description: 'New users who get it', example: 2 }) users: number;
}

export class ImportedUserDto {
  @ApiProperty({ type: 'integer', description: 'Line of the file', example: 2 }) line: number;
  @ApiProperty({ enum: ['made', 'merged', 'conflict', 'skipped'], example: 'conflict' }) result: string;
  @ApiProperty({ type: String, nullable: true, description: 'As in the file', example: 'ann' }) name: string | null;
  @ApiPropertyOptional({ type: String, description: 'The username here', example: 'ann' }) username?: string;
  @ApiPropertyOptional({ type: String, description: 'Why it was not imported', example: 'username_taken' })
  why?: string;
  @ApiProperty({ type: [String], description: 'What could not be imported unchanged', example: ['no_way_in'] })
  notes: string[];
  @ApiPropertyOptional({ type: [RoleLeftOutDto], description: 'Roles of the line that the user does not get' })
  roles_left_out?: RoleLeftOutDto[];
}

@ApiSchema({ description: 'How many users had each result, and those that need attention' })
export class UserImportDto {
  @ApiProperty({ description: 'Whether nothing was written' }) dry_run: boolean;
  @ApiProperty({ type: 'integer', description: 'Users in the file', example: 3 }) read: number;
  @ApiProperty({ type: 'integer', description: 'New accounts', example: 2 }) made: number;
  @ApiProperty({
    type: 'integer',
    description: 'Accounts with the same verified e-mail address, unchanged',
    example: 0,
  })
  merged: number;
  @ApiProperty({ type: 'integer', description: 'Imported before', example: 0 }) unchanged: number;
  @ApiProperty({ type: 'integer', description: 'Not imported: the username belongs to another account', example: 1 })
  conflict: number;
  @ApiProperty({ type: 'integer', description: 'Not imported: neither a username nor an e-mail address', example: 0 })
  skipped: number;
  @ApiProperty({ type: [RoleGivenDto], description: 'All roles that new users get, beside the default role' })
  roles_given: RoleGivenDto[];
  @ApiProperty({ type: [ImportedUserDto], description: 'All users that were not simply made or unchanged' })
  items: ImportedUserDto[];
}

export const userImportDto = ({ totals, lines }: CsvImport, isDryRun: boolean): UserImportDto => ({
  dry_run: isDryRun,
  read: totals.read,
  made: totals.made,
  merged: totals.merged,
  unchanged: totals.unchanged,
  conflict: totals.conflict,
  skipped: totals.skipped,
  roles_given: [...(totals.roles_given ?? [])],
  items: lines.map(lineDto),
});

const lineDto = ({
  line,
  report: { result, name, username, why, notes = [], roles_left_out: rolesLeftOut },
}: CsvImportLine): ImportedUserDto => ({
  line,
  result,
  name,
  ...(username !== undefined && { username }),
  ...(why !== undefined && { why }),
  notes: [...notes],
  ...(rolesLeftOut && { roles_left_out: [...rolesLeftOut] }),
});
