'use client'

import { connectionStatus } from '@/lib/client/connection-status'
import { useStore } from '@/lib/client/store'

export const useConnectionStatus = () => useStore(connectionStatus)
