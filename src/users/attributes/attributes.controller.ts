import { Body, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { attributeErrors } from './attribute.errors';
import { attributePermissions } from './attribute.permissions';
import { AttributesService } from './attributes.service';
import {
  attributeDto,
  AttributeDto,
  AttributeListDto,
  ChangeAttributeDto,
  CreateAttributeDto,
} from './dto/attribute.dto';

const NAME = { name: 'name', description: 'Name of the attribute', example: 'employee_no' } as const;

@ApiTags('Attributes')
@ApiController('attribute')
export class AttributesController {
  constructor(private readonly attributes: AttributesService) {}

  @Get()
  @RequirePermission(attributePermissions.read)
  @ApiOperation({ summary: 'List the attributes of users', description: 'By position, then name.' })
  @ApiOkResponse({ type: AttributeListDto })
  async list(): Promise<AttributeListDto> {
    return { items: (await this.attributes.list()).map(attributeDto) };
  }

  @Post()
  @RequirePermission(attributePermissions.create)
  @ApiOperation({
    summary: 'Define an attribute of users',
    description:
      'At most 50. Within a day after the deletion of an attribute of this name and type, its values come back; another type is `in_use` until then.',
  })
  @ApiCreatedResponse({ type: AttributeDto })
  @ProblemResponses(attributeErrors.nameTaken, attributeErrors.inUse, attributeErrors.limitReached)
  async create(@Body() body: CreateAttributeDto): Promise<AttributeDto> {
    return attributeDto(await this.attributes.create(body));
  }

  @Get(':name')
  @ApiParam(NAME)
  @RequirePermission(attributePermissions.read)
  @ApiOperation({ summary: 'Show an attribute of users' })
  @ApiOkResponse({ type: AttributeDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('name') name: string): Promise<AttributeDto> {
    return attributeDto(await this.attributes.find(name));
  }

  @Patch(':name')
  @ApiParam(NAME)
  @RequirePermission(attributePermissions.update)
  @ApiOperation({
    summary: 'Change an attribute of users',
    description:
      'Values that are stored stay, also if they break a new limit. `in_use`: users have values, so the type and `unique` stay. `attribute_trusted`: something reads it, such as a claim, so its owner may not write it.',
  })
  @ApiOkResponse({ type: AttributeDto })
  @ProblemResponses(platformErrors.notFound, attributeErrors.inUse, attributeErrors.attributeTrusted)
  async change(@Param('name') name: string, @Body() body: ChangeAttributeDto): Promise<AttributeDto> {
    return attributeDto(await this.attributes.change(name, body));
  }

  @Delete(':name')
  @ApiParam(NAME)
  @RequirePermission(attributePermissions.delete)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete an attribute of users',
    description:
      'Its values are hidden at once and deleted after a day; until then, creating it again brings them back. `attribute_trusted`: something reads it, such as a claim.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, attributeErrors.attributeTrusted)
  delete(@Param('name') name: string): Promise<void> {
    return this.attributes.delete(name);
  }
}
