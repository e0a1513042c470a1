import { Module } from '@nestjs/common';
import { AuthorizationServerModule, LoginProvidersModule } from '../../oauth';
import { Feature } from '../../platform/feature';
import { SettingsModule } from '../../settings';
import { MessagingModule } from '../../messaging';
import { RbacModule } from '../../rbac';
import { DiagnosticsController } from './diagnostics.controller';
import { DiagnosticsService } from './diagnostics.service';
import { DeploymentProbeService } from './deployment-probe.service';

@Module({
  imports: [SettingsModule, RbacModule, MessagingModule, LoginProvidersModule, AuthorizationServerModule],
  controllers: [DiagnosticsController],
  providers: [DiagnosticsService, DeploymentProbeService],
  exports: [DiagnosticsService],
})
export class DiagnosticsModule {}

export const diagnosticsFeature: Feature = { module: DiagnosticsModule };
