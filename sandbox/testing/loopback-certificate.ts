import { type TlsCertificate, tlsCertificate } from '@/sandbox/http/tls-certificate'

/** A certificate for 127.0.0.1 that only who has it trusts, kept in a folder: for servers of other tests, made as the sandbox makes its own. */
export const loopbackCertificate = (folder: string): Promise<TlsCertificate> => tlsCertificate(folder, '127.0.0.1')
