import { serveLiveness } from '@/lib/server/http/health'

export const GET = () => serveLiveness()

export const dynamic = 'force-dynamic'
