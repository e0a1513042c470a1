export * from './doctor.module';
export * from './doctor.service';
export type { DoctorDto } from './doctor.dto';
