'use client'

import { useSyncExternalStore } from 'react'
import { readConnectionStatus, readConnectionStatusOnServer, subscribeConnectionStatus } from '@/lib/client/connection-status'

/** What the whole screen has to say, see `lib/client/connection-status`. */
export const useConnectionStatus = () => useSyncExternalStore(subscribeConnectionStatus, readConnectionStatus, readConnectionStatusOnServer)
