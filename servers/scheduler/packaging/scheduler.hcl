# /etc/scheduler/scheduler.hcl: a server that keeps its state on this machine. `scheduler help settings` lists the rest.
data_dir = "/var/lib/scheduler"

# Whoever reaches the API needs a token: `scheduler acl bootstrap` makes the first one.
acl { enabled = true }

# Other machines reach it with an address, and want TLS then:
#   bind_addr = "0.0.0.0"
#   tls {
#     http      = true
#     rpc       = true
#     cert_file = "/etc/scheduler/cert.pem"
#     key_file  = "/etc/scheduler/key.pem"
#     ca_file   = "/etc/scheduler/ca.pem"
#   }
