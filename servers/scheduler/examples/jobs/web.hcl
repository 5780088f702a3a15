# A web server in Node, three times, each on a free port of its node.
job "web" {
  type = "service"

  group "web" {
    count = 3

    network {
      port "http" {}
    }

    # A new version goes out one by one, each healthy for a second before the next. One that makes no progress for ten
    # seconds is the end of it, and the last version that was well comes back.
    update {
      max_parallel      = 1
      min_healthy_time  = "1s"
      healthy_deadline  = "8s"
      progress_deadline = "10s"
      auto_revert       = true
    }

    restart {
      attempts = 0
      mode     = "fail"
    }

    # What fails is looked at, and not tried elsewhere.
    reschedule {
      attempts  = 0
      unlimited = false
    }

    task "server" {
      driver = "raw_exec"

      config {
        command = "node"
        args    = ["-e", <<-CODE
          const { createServer } = require('node:http');
          const { GREETING, SCHEDULER_ALLOC_NAME, SCHEDULER_PORT_http } = process.env;
          createServer((request, response) => {
            console.log(request.method, request.url);
            response.end(GREETING + ' from ' + SCHEDULER_ALLOC_NAME + '\n');
          }).listen(Number(SCHEDULER_PORT_http), '127.0.0.1', () => console.log('listening on', SCHEDULER_PORT_http));
          CODE
        ]
      }

      env {
        GREETING = "hello"
      }

      resources {
        cpu    = 100
        memory = 64
      }
    }
  }
}
