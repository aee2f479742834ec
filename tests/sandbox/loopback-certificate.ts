import { type TlsCertificate, tlsCertificate } from '@/sandbox/http/tls-certificate'

/** Returns a self-signed certificate for 127.0.0.1, stored in a folder: for servers of other tests, created like the sandbox's own. */
export const loopbackCertificate = (folder: string): Promise<TlsCertificate> => tlsCertificate(folder, '127.0.0.1')
