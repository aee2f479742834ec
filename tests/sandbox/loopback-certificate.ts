import { readOrMakeCertificate, type TlsCertificate } from '@/sandbox/http/tls-certificate'

/**
 * Returns a self-signed certificate for 127.0.0.1 and stores it in a folder. For servers of other
 * tests.
 */
export const createLoopbackCertificate = (folder: string): Promise<TlsCertificate> =>
  readOrMakeCertificate(folder, '127.0.0.1')
