import { serveLimitUse } from '@/lib/server/limit-serve'

export { serveLimitUse as GET }
