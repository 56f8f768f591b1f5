; Definitions
(message (message_name) @name) @class
(enum (enum_name) @name) @enum
(service (service_name) @name) @interface
(rpc (rpc_name) @name) @method
(package (full_ident) @name) @module

; References
(message_or_enum_type) @use
