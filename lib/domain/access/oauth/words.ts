/** A refresh token lasts this long after its last use, and so does the connection. */
export const REFRESH_DAYS = 30;
/** A connection ends this long after its approval, however much it is used: then the client asks again. */
export const CONNECTION_DAYS = 365;
