import { serveLimitRequests } from '@/lib/server/limit-serve'

export { serveLimitRequests as GET }
