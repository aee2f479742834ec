import { serveCertificate } from '@/lib/server/deletion-serve'

export { serveCertificate as GET }
